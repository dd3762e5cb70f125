// Bench measures ingit beside the git binary and go-git, in turn, on one
// machine, and writes the ratios as Markdown tables.
//
//	go run . generate [-commits 20000] DIR        a made-up history, for machines without git/git
//	go run . run -jobs '100k files'               a work tree of 100,000 files in five states
//	go run . writes -repo DIR                     add, commit, checkout and stash
//	go run . run -repo DIR [-ingit BIN] [-rounds 11] [-jobs status,log] [-out RESULTS.md]
//	go run . growth [-root DIR] [-sizes 10000,40000,160000] [-svg growth.svg]
//
// Terms: a job is one question (status, log -1000, …) about one state; a state
// is a clone of the repository, clean or prepared; a contestant answers the
// job as a whole process. Each round asks all contestants once, one after the
// other; what is told is the median over the rounds of processor time (user and
// system, from the kernel), of wall time, and of the ratios to git in the same
// round. Warm figures are of a call within this process, the repository open, in each round.
// Every answer is compared with git's bytes before it is timed.
package main
