//go:build !linux

package mcp

import "testing"

func children(*testing.T) []int { return nil } // not known here: the tests of Linux look

func zombie(int) bool { return false }
