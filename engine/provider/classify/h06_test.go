package classify

import (
	"net/http"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
)

func TestH06ARefusedHistoryIsNotRepeatedBlindly(t *testing.T) {
	body := `{"error":{"code":500,"message":"Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...","type":"server_error"}}`
	e := Error(&provider.Failure{Status: http.StatusInternalServerError, ContentType: "application/json", Body: []byte(body)})
	if e.Reason != engine.ReasonFormatError {
		t.Fatalf("%+v", e)
	}
}
