package database

import "encoding/binary"

// Seq is n as a key: keys sort as the numbers do.
func Seq(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Clip keeps a text that a key is made of under bbolt's limit of 32 KB; what is found by a clipped key has to be compared
// with what it stands for.
func Clip(s string) string { return s[:min(len(s), 4096)] }
