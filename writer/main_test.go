package writer

import (
	"os"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

func TestMain(m *testing.M) { os.Exit(fixtures.RunInMemory(m)) }
