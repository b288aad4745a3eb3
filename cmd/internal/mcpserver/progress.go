package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline"
	"docent/pipeline/contract"
)

// progressSender sends the client the progress of a run; nil: the client did not ask for it.
func (s *Server) progressSender(ctx context.Context, req *mcp.CallToolRequest) pipeline.Sink {
	if req == nil || req.Params.GetProgressToken() == nil {
		return nil
	}
	token := req.Params.GetProgressToken()
	done, total := 0, len(contract.Phases())
	return func(e pipeline.Event) {
		switch e.Kind {
		case pipeline.PhaseDone, pipeline.PhaseSkipped:
			done++
		default:
			return
		}
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(min(done, total)), Total: float64(total),
			Message: "phase " + e.Phase + ": " + e.Text}
		if err := req.Session.NotifyProgress(ctx, p); err != nil {
			s.opt.Log.Debug("progress", "error", err.Error())
		}
	}
}
