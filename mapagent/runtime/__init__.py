"""What a run is made with: settings, plug-ins, ledger, traces, caches, telemetry; many questions over workers."""
