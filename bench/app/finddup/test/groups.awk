# SPDX-License-Identifier: MIT
# Groups of paths with blank lines between them: each as one line, its paths sorted.
BEGIN { RS = ""; FS = "\n" }
{
    n = split($0, a, "\n")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && a[j] < a[j - 1]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    line = a[1]
    for (i = 2; i <= n; i++) line = line "|" a[i]
    print line
}
