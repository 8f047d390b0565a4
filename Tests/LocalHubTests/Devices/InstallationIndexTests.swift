import Testing

@testable import LocalHub

struct InstallationIndexTests {
    private func installation(
        _ id: String, _ platform: LocalHubPlatform = .apns, _ tags: Set<String> = [],
        user: String? = nil
    ) -> Installation {
        Installation(id: id, platform: platform, handle: "handle", tags: tags, userID: user)
    }

    private var index: InstallationIndex {
        var index = InstallationIndex()
        index.put(installation("0", .apns, ["a", "b"], user: "u"))
        index.put(installation("1", .apns, ["b"]))
        index.put(installation("2", .fcm, ["a"], user: "u"))
        index.put(installation("3", .apns, []))
        return index
    }

    @Test(arguments: [
        ("a", [0]), ("b", [0, 1]), ("a||b", [0, 1]), ("a&&b", [0]), ("b&&!a", [1]),
        ("!a", [1, 3]), ("!(a||b)", [3]), ("a||!b", [0, 3]), ("!a&&!b", [3]), ("none", []),
        ("$UserId:{u}", [0]), ("$InstallationId:{3}", [3]), ("$InstallationId:{2}", []),
        ("$InstallationId:{0}||$InstallationId:{3}", [0, 3]), ("A", []),
    ])
    func anExpressionFindsExactlyItsInstallationsOfThePlatform(
        text: String, expected: [Int]
    ) throws {
        let expression = try TagExpressionParser.parse(text)
        #expect(index.places(matching: expression, on: .apns).sorted() == expected)
    }

    @Test func aBroadcastFindsAllOfThePlatform() {
        #expect(index.places(matching: nil, on: .apns) == [0, 1, 3])
        #expect(index.places(matching: nil, on: .fcm) == [2])
        #expect(index.places(matching: nil, on: .wns).isEmpty)
    }

    @Test func aReplacedInstallationIsFoundByItsNewTagsOnly() throws {
        var index = index
        #expect(index.put(installation("0", .fcm, ["c"])) == 0)
        #expect(index.put(installation("4", .fcm, ["c"])) == 4)
        let places = { (text: String) in
            try index.places(matching: TagExpressionParser.parse(text), on: .fcm).sorted()
        }
        #expect(try places("c") == [0, 4])
        #expect(try places("a") == [2])
        #expect(try places("b") == [])
        #expect(try places("$UserId:{u}") == [2])
    }

    @Test(.timeLimit(.minutes(1)))
    func aHundredThousandDevicesDoNotSlowDownALookup() throws {
        var index = InstallationIndex()
        for number in 0..<100_000 {
            index.put(installation("\(number)", .apns, ["username:u\(number)", "everyone"]))
        }
        // Looking at all devices for each of these would take hours.
        for number in stride(from: 0, to: 100_000, by: 10) {
            let one = TagExpression.term(.tag("username:u\(number)"))
            #expect(index.places(matching: one, on: .apns) == [number])
            let both = TagExpression.all([.term(.tag("everyone")), one])
            #expect(index.places(matching: both, on: .apns) == [number])
        }
        let twenty = TagExpression.any((0..<20).map { .term(.tag("username:u\($0)")) })
        #expect(index.places(matching: twenty, on: .apns).sorted() == Array(0..<20))
    }
}
