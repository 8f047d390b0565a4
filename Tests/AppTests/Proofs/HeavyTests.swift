import TestSupport
import Testing

/// Tests that keep a processor busy for seconds, one at a time, so that lighter ones stay on time.
@Suite(.apart, .serialized) enum HeavyTests {}
