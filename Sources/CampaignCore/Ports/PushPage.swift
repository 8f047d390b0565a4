/// Pushes of one platform that are handed over together.
///
/// At most one second of sending at the current rate and at most 4,096 pushes.
package struct PushPage: Sendable {
    /// The most pushes in a page.
    package static let maximumCount = 4096

    package var platform: Platform
    package var contentType: String
    package var headers: [PushHeader]
    package var pushes: [Push]
    /// The least time between the starts of two requests; nil: unlimited.
    package var interval: Duration?

    package init(
        platform: Platform, contentType: String, headers: [PushHeader], pushes: [Push],
        interval: Duration?
    ) {
        self.platform = platform
        self.contentType = contentType
        self.headers = headers
        self.pushes = pushes
        self.interval = interval
    }
}
