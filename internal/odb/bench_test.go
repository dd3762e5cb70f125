package odb_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
)

// large opens the bare repository that the environment names, and allows
// another directory for its alternates; it returns the id that HEAD leads to.
func large(b *testing.B) (db *odb.Database, head plumbing.Hash) {
	dir := os.Getenv("INGIT_ODB_REPOSITORY")
	if dir == "" {
		b.Skip("INGIT_ODB_REPOSITORY is not set")
	}
	return open(b, dir, odb.Options{}, os.Getenv("INGIT_ODB_ALLOWED")), plumbing.NewHash(strings.TrimSpace(git(b, dir, "", "rev-parse", "HEAD")))
}

// walkCommits reads every commit that can be reached from head by read.
func walkCommits(b *testing.B, head plumbing.Hash, read func(plumbing.Hash) []byte) int {
	seen := map[plumbing.Hash]bool{head: true}
	parents := make([]plumbing.Hash, 0, 16)
	for todo := []plumbing.Hash{head}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		found, rest, err := object.CommitParents(id, read(id), parents[:0])
		require.NoError(b, err)
		_ = object.HeaderDate(rest)
		for _, p := range found {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return len(seen)
}

func BenchmarkWalkWhole(b *testing.B) {
	db, head := large(b)
	for b.Loop() {
		r := db.NewReader()
		b.ReportMetric(float64(walkCommits(b, head, func(id plumbing.Hash) []byte {
			_, data, err := r.Read(id)
			require.NoError(b, err)
			return data
		})), "commits")
	}
}

func BenchmarkWalkPrefix(b *testing.B) {
	db, head := large(b)
	for b.Loop() {
		r := db.NewReader()
		walkCommits(b, head, func(id plumbing.Hash) []byte {
			_, data, err := r.Prefix(id, 320)
			require.NoError(b, err)
			return data
		})
	}
}

// BenchmarkRootTrees reads the root tree of every commit of the first-parent
// line, as a path log does.
func BenchmarkRootTrees(b *testing.B) {
	db, head := large(b)
	for b.Loop() {
		r := db.NewReader()
		n := 0
		for id := head; ; n++ {
			_, data, err := r.Prefix(id, 320)
			require.NoError(b, err)
			tree, _, err := object.CommitTree(id, data)
			require.NoError(b, err)
			parents, _, err := object.CommitParents(id, data, nil)
			require.NoError(b, err)
			_, data, err = r.Read(tree)
			require.NoError(b, err)
			_, _, err = object.FindEntry(data, "Makefile")
			require.NoError(b, err)
			if len(parents) == 0 {
				break
			}
			id = parents[0]
		}
		b.ReportMetric(float64(n), "trees")
	}
}

// BenchmarkWalkGraph is BenchmarkWalkWhole by the commit-graph.
func BenchmarkWalkGraph(b *testing.B) {
	db, head := large(b)
	graph := db.Graph()
	if graph == nil {
		b.Skip("the repository has no commit-graph")
	}
	start, ok := graph.Find(head)
	require.True(b, ok)
	for b.Loop() {
		seen := make([]bool, graph.Len())
		seen[start] = true
		n := 0
		var parents []uint32
		for todo := []uint32{start}; len(todo) > 0; n++ {
			c, err := graph.Commit(todo[len(todo)-1], parents[:0])
			require.NoError(b, err)
			parents, todo = c.Parents, todo[:len(todo)-1]
			for _, p := range c.Parents {
				if !seen[p] {
					seen[p] = true
					todo = append(todo, p)
				}
			}
		}
		b.ReportMetric(float64(n), "commits")
	}
}
