// Package delegate is the delegate_task tool: it gives pieces of work to agents of their own, each with a fresh
// conversation, fewer tools and a budget, runs several side by side, and brings back what they found.
//
// A child sees its goal and context and nothing of the conversation that sent it. It refuses what would need the user's
// attention or touch what is the user's for good: no clarify, no memory, no execute_code, and no children of its own
// unless delegation.max_depth says so. What a child asks leave for passes the same gates as everything else.
package delegate
