// Package responses speaks the Responses protocol (POST {base}/responses, server-sent events): OpenAI's own, and that of
// the servers that took it up. encode.go and input.go make the request, decode.go reads the reply; what differs by
// server or model is rows in quirks_table.go. What has to go back later (sealed reasoning, the id and phase of a message)
// is kept as an Opaque that names its server and model, and goes back to no other.
//
// It refuses to guess: a reply without its terminal event is a *provider.Failure, a call that the server did not finish
// never ends in StopCalls, and tools that the server ran itself are no calls.
package responses
