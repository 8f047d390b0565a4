import CampaignCore

@testable import Delivery

extension InFlight {
    mutating func add(
        _ attempts: ArraySlice<Attempt>, on platform: Platform, from start: Duration
    ) -> Int {
        add(attempts, of: nil, on: platform, from: start, at: nil)
    }
}
