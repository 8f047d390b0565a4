import TestSupport
import Testing

/// The inbox page as people use it; each extension is a topic.
@Suite(
    .serialized, .browser, .timeLimit(.minutes(2)),
    .enabled(if: InstalledTool.areThere("chromium", "chromedriver")))
struct InboxBrowserTests {}
