//go:build !race

package ui

const racing = false
