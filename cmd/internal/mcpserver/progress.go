package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline"
	"docent/pipeline/contract"
)

// progress tells the client how far a run is, if it asked to be told; nil: it did not.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest) pipeline.Sink {
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
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(min(done, total)), Total: float64(total), Message: "phase " + e.Phase + ": " + e.Text}
		if err := req.Session.NotifyProgress(ctx, p); err != nil {
			s.opt.Log.Debug("progress", "error", err.Error())
		}
	}
}
