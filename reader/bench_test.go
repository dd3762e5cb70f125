package reader_test

import (
	"context"
	"os"
	"testing"

	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// The benchmarks run on repositories named by the environment, for example
// INGIT_BENCH_REPO=/path/to/git, and are skipped without.

func benchRepo(b *testing.B, variable string) *reader.Repository {
	dir := os.Getenv(variable)
	if dir == "" {
		b.Skip(variable + " is not set")
	}
	return mustOpen(b, dir)
}

func BenchmarkLog1000(b *testing.B) {
	r := benchRepo(b, "INGIT_BENCH_REPO")
	line := pretty.Line{Dates: pretty.Dates{Format: pretty.DateISO}}
	b.ReportAllocs()
	for b.Loop() {
		var out []byte
		for commit, err := range r.Log(context.Background(), reader.LogOptions{Limit: 1000}) {
			if err != nil {
				b.Fatal(err)
			}
			out, _ = line.Append(out, commit.ID, commit.Data)
		}
	}
}

func BenchmarkBranches(b *testing.B) {
	r := benchRepo(b, "INGIT_BENCH_BRANCHES")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Branches(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPathLog(b *testing.B) {
	r := benchRepo(b, "INGIT_BENCH_REPO")
	for _, path := range []string{"Makefile", "builtin/", "t/t4013-diff-various.sh", "*.sh"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				spec, err := r.Paths([]string{path})
				if err != nil {
					b.Fatal(err)
				}
				n, err := r.Count(context.Background(), reader.LogOptions{Paths: spec})
				b.ReportMetric(float64(n), "commits")
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFollow(b *testing.B) {
	r := benchRepo(b, "INGIT_BENCH_REPO")
	for b.Loop() {
		n, err := r.Count(context.Background(), reader.LogOptions{Follow: "builtin/checkout.c"})
		b.ReportMetric(float64(n), "commits")
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	r := benchRepo(b, "INGIT_BENCH_REPO")
	for b.Loop() {
		n, err := r.Count(context.Background(), reader.LogOptions{})
		b.ReportMetric(float64(n), "commits")
		if err != nil {
			b.Fatal(err)
		}
	}
}
