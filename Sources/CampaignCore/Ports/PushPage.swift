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
    /// The least time between the starts of two requests, whatever their platform; nil: unlimited.
    package var interval: Duration?
    /// The same between two of this platform, while it is asked to go slower; nil: no more than ``interval`` asks.
    package var platformInterval: Duration?
    /// Requests of this platform in flight at once, at least 1; nil: as many as the sender has.
    ///
    /// A slow platform so leaves connections to the others. Of pages that are out together, the newest one's counts.
    package var concurrency: Int?

    package init(
        platform: Platform, contentType: String, headers: [PushHeader], pushes: [Push],
        interval: Duration?, platformInterval: Duration? = nil, concurrency: Int? = nil
    ) {
        self.platform = platform
        self.contentType = contentType
        self.headers = headers
        self.pushes = pushes
        self.interval = interval
        self.platformInterval = platformInterval
        self.concurrency = concurrency
    }
}
