/* SPDX-License-Identifier: MIT */
/* The version. */
#ifndef HEIST_VERSION_H
#define HEIST_VERSION_H

/* CMake and the packages read the version from here; it stands nowhere else. */
#define HEIST_VERSION_MAJOR 0
#define HEIST_VERSION_MINOR 1
#define HEIST_VERSION_PATCH 0
#define HEIST_VERSION_STRING "0.1.0"

#endif
