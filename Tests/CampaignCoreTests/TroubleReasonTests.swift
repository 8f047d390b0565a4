import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct TroubleReasonTests {
    @Test(
        "Tracking IDs and times are removed from the reason for trouble",
        arguments: [
            (
                "HTTP 400: The body is wrong..TrackingId:1a2b3c4d-0000-4000-8000-000000000000_G7,TimeStamp:11/7/2018 12:18:23 AM",
                "HTTP 400: The body is wrong"
            ),
            (
                "HTTP 401: Invalid signature, Resource:sb://x/y. TrackingID:9_G1, SystemTracker:x, Timestamp:2026-01-01",
                "HTTP 401: Invalid signature, Resource:sb://x/y"
            ),
            ("HTTP 404: .TrackingId:1_G0,TimeStamp:1/1/2026", "HTTP 404"),
            // The reason is truncated as in the store.
            ("HTTP 400: Too long.TrackingId:1a2b", "HTTP 400: Too long"),
            ("connection 1A2B3C4D-0000-4000-8000-00000000000F was lost.", "connection … was lost."),
            ("1a2b3c4d-0000-4000-8000-00000000000g", "1a2b3c4d-0000-4000-8000-00000000000g"),
            ("connection refused", "connection refused"), ("", ""), ("größer", "größer"),
            ("tracking", "tracking"), ("TrackingId:1", ""),
        ])
    func trackingIDsAndTimesAreRemovedFromTheReasonForTrouble(detail: String, essence: String) {
        #expect(TroubleReason.essence(of: detail) == essence)
        #expect(TroubleReason.essence(of: essence) == essence)
    }
}
