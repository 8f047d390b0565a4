import TestSupport
import Testing

/// Runs tests that keep a processor busy for seconds one at a time, so that lighter tests are not
/// delayed.
@Suite(.apart, .serialized) enum HeavyTests {}
