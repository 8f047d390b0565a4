import CampaignCore
import NIOCore

/// One push that has begun and has no result yet.
struct PushFlight {
    let page: OutgoingPage
    let index: Int
    /// When its answer has to be there, that to a second request included.
    let deadline: NIODeadline
    let trackingID: TrackingID
    /// Requests whose bytes were handed to a connection.
    var requests = 0
    /// Which token the last request went out with.
    var token = 0

    var number: Int { page.pushes[index].number }
}
