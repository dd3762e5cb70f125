package object

import (
	"crypto/sha1"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-git/go-git/v5/plumbing"
)

func TestAppendID(t *testing.T) {
	for i := range uint64(1000) {
		id := plumbing.Hash(sha1.Sum(binary.BigEndian.AppendUint64(nil, i)))
		require.Equal(t, "id "+id.String(), string(AppendID([]byte("id "), id)))
	}
}
