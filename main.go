// Talaria is a full-screen terminal agent: a person types what they want, an engine goroutine runs the agent loop, and
// the screen shows every token, thought, tool and question as it happens.
package main

func main() {}
