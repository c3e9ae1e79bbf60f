/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CPUS_H
#define REPORT_CPUS_H

unsigned report_cpus(void); /* that this process may use */

#endif
