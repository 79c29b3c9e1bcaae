// Package converse speaks Amazon Bedrock's Converse protocol (POST {base}/model/{id}/converse-stream, binary event
// stream frames; /converse where streaming is refused). encode.go makes the request, frame.go and decode.go read the
// reply; what differs by model family is rows in families_table.go.
//
// The SDK lends three things: its credential chain (environment, profiles, SSO, roles, instance metadata), its request
// signature, and its frame decoder. Its Bedrock client is left out, because that takes a stream without its end for a
// whole one, drops fields it does not know, and runs outside the clocks of provider.Endpoint. Nothing of the SDK runs
// before the first request.
//
// It refuses to guess: a reply without messageStop is a *provider.Failure, and so is a frame whose checksum is wrong.
package converse
