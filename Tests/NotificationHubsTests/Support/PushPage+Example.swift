import CampaignCore

extension PushPage {
    /// Silent pushes to `u0`, `u1` and so on.
    static func example(
        _ count: Int, platform: Platform = .apns, firstNumber: Int = 0,
        interval: Duration? = nil, platformInterval: Duration? = nil, concurrency: Int? = nil,
        lease: RunLease? = nil
    ) throws -> PushPage {
        PushPage(
            platform: platform, contentType: "application/json;charset=utf-8",
            headers: [
                PushHeader("apns-push-type", "background"), PushHeader("apns-priority", "5"),
            ],
            pushes: try (firstNumber..<firstNumber + count).map { number in
                Push(
                    number: number, usernames: [try Username("u\(number)")],
                    body: Array(#"{"aps":{"content-available":1},"secureId":"\#(number)"}"#.utf8))
            }, interval: interval, platformInterval: platformInterval, concurrency: concurrency,
            lease: lease)
    }
}

extension RunLease {
    /// A lease that is held until a test ends it.
    static func held() -> RunLease { RunLease(until: .now + .seconds(86_400)) }

    func end() { extend(until: .now - .seconds(1)) }

    func renew() { extend(until: .now + .seconds(86_400)) }
}
