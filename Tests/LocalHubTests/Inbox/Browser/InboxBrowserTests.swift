import TestBrowser
import TestSupport
import Testing

/// The inbox page as people use it; each extension covers one topic.
@Suite(
    .apart, .serialized, .browser,
    .enabled(if: InstalledTool.areThere("chromium", "chromedriver")))
struct InboxBrowserTests {}
