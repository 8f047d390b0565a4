import TestSupport
import Testing

/// Tests that keep a processor busy for seconds: one after the other, so that the lighter ones beside them still see
/// things happen in time.
@Suite(.apart, .serialized) enum HeavyTests {}
