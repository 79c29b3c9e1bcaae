package mcp

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The test binary started again is a real MCP server over stdio: TALARIA_TEST_SERVER says which one.
const serverVar = "TALARIA_TEST_SERVER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(serverVar); kind != "" {
		serve(kind)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type named struct {
	Name string `json:"name" jsonschema:"the person to greet"`
}

func text(s string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
}

// greeter is the SDK's own hello example, with a few more tools.
func greeter() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "greeter", Version: "1"}, nil)
	add := func(name string, run func(ctx context.Context, r *sdk.CallToolRequest, in named) (*sdk.CallToolResult, any, error)) {
		sdk.AddTool(server, &sdk.Tool{Name: name, Description: "say hi with " + name}, run)
	}
	add("greet", func(_ context.Context, _ *sdk.CallToolRequest, in named) (*sdk.CallToolResult, any, error) {
		return text("Hi " + in.Name), nil, nil
	})
	add("big", func(context.Context, *sdk.CallToolRequest, named) (*sdk.CallToolResult, any, error) {
		return text(strings.Repeat("x", 200_000) + "END"), nil, nil
	})
	add("picture", func(context.Context, *sdk.CallToolRequest, named) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: []byte("12345"), MIMEType: "image/png"}, &sdk.TextContent{Text: "a cat"}}}, nil, nil
	})
	add("fail", func(context.Context, *sdk.CallToolRequest, named) (*sdk.CallToolResult, any, error) {
		return nil, nil, fmt.Errorf("the disk is full")
	})
	add("die", func(context.Context, *sdk.CallToolRequest, named) (*sdk.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "fatal: out of luck")
		os.Exit(3)
		return nil, nil, nil
	})
	add("hang", func(ctx context.Context, _ *sdk.CallToolRequest, _ named) (*sdk.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	add("steps", func(ctx context.Context, r *sdk.CallToolRequest, _ named) (*sdk.CallToolResult, any, error) {
		for i := range 3 {
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: "step"})
		}
		_ = r.Session.Ping(ctx, nil) // answered after the notices before it
		return text("done"), nil, nil
	})
	return server
}

func serve(kind string) {
	switch kind {
	case "greeter":
	case "noisy":
		fmt.Print("level=info msg=mem.init budget_mb=16265 total_ram_mb=32530\n\n\r\n{\"level\":\"info\",\"msg\":\"json log\"}\r\n[1,2]\n")
	case "crash":
		fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\nModuleNotFoundError: No module named 'yaml'")
		os.Exit(1)
	case "mute": // answers the greeting and nothing else
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			if strings.Contains(lines.Text(), `"initialize"`) {
				fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"0"},"capabilities":{"tools":{}}}}`)
			}
		}
		return
	case "stubborn": // ignores everything that ends a polite program, and so does its child
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		child := exec.Command("sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done")
		if err := child.Start(); err != nil {
			os.Exit(9)
		}
		fmt.Fprintf(os.Stderr, "child %d\n", child.Process.Pid)
		_ = greeter().Run(context.Background(), &sdk.StdioTransport{})
		time.Sleep(time.Hour) // stdin is closed: a well-mannered server would be gone
	}
	if err := greeter().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
