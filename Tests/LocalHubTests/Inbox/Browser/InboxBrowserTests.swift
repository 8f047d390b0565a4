import TestBrowser
import TestSupport
import Testing

/// The inbox page as people use it; each extension is a topic.
@Suite(
    .apart, .serialized, .browser,
    .enabled(if: InstalledTool.areThere("chromium", "chromedriver")))
struct InboxBrowserTests {}
