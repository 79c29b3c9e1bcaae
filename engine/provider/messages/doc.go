// Package messages speaks Anthropic's Messages protocol (POST {base}/v1/messages, server-sent events), also as other
// servers offer it. encode.go makes the request, decode.go reads the reply; what differs by model or by server is rows
// in model_table.go and host_table.go.
//
// It takes keys of the API only, never those of another product. It refuses a reply that ends without message_stop,
// however whole it looks: that is a *provider.Failure. Signed thinking goes back byte for byte or not at all.
package messages
