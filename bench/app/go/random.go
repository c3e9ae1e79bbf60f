// SPDX-License-Identifier: MIT

package main

// randomAt is ../common/random.h's random_at.
func randomAt(seed, i uint64) uint64 {
	z := seed + i*0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
