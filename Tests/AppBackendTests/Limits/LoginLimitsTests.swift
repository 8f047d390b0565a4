import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct LoginLimitsTests {
    private let time = TestTime()
    private let address = LimitedAddress(IPAddress("192.0.2.1"))

    @Test("A bucket allows a burst, then one failure per interval")
    func bucketAllowsABurstThenOneFailurePerInterval() {
        var counts = FailureCounts<String>(allowed: 3, interval: .seconds(10), limit: 100)
        for _ in 0..<3 {
            #expect(counts.wait(for: "a", now: time.now) == nil)
            counts.add("a", now: time.now)
        }
        #expect(counts.wait(for: "a", now: time.now) == .seconds(10))
        #expect(counts.wait(for: "b", now: time.now) == nil)
        time.advance(by: .seconds(9))
        #expect(counts.wait(for: "a", now: time.now) == .seconds(1))
        time.advance(by: .seconds(1))
        #expect(counts.wait(for: "a", now: time.now) == nil)
        counts.add("a", now: time.now)
        #expect(counts.wait(for: "a", now: time.now) == .seconds(10))
    }

    @Test("An attempt that did not fail is no longer counted")
    func attemptThatDidNotFailIsNoLongerCounted() {
        var counts = FailureCounts<String>(allowed: 1, interval: .seconds(10), limit: 100)
        counts.add("a", now: time.now)
        counts.forgive("a", now: time.now)
        #expect(counts.wait(for: "a", now: time.now) == nil)
        #expect(counts.count == 0)
        counts.forgive("a", now: time.now)
        #expect(counts.count == 0)
    }

    @Test("A flood of keys neither fills the memory nor clears another key's failures")
    func floodOfKeysNeitherFillsTheMemoryNorClearsAnotherKeysFailures() {
        var counts = FailureCounts<Int>(allowed: 5, interval: .seconds(60), limit: 200)
        for _ in 0..<5 { counts.add(-1, now: time.now) }
        for key in 0..<50_000 {
            counts.add(key, now: time.now)
            #expect(counts.count <= 200)
        }
        #expect(counts.wait(for: -1, now: time.now) != nil)
        time.advance(by: .seconds(300))
        counts.add(-2, now: time.now)
        counts.forgive(-2, now: time.now)
        #expect(counts.wait(for: -1, now: time.now) == nil)
    }

    @Test("An IPv6 address is counted together with its /64 network")
    func iPv6AddressIsCountedTogetherWithIts64Network() {
        func key(_ text: String) -> LimitedAddress { LimitedAddress(IPAddress(text)) }
        #expect(key("2001:db8:0:1::1") == key("2001:db8:0:1:ffff::2"))
        #expect(key("2001:db8:0:1::1") != key("2001:db8:0:2::1"))
        #expect(key("192.0.2.1") != key("192.0.2.2"))
        #expect(key("::ffff:192.0.2.1") == key("192.0.2.1"))
        #expect(LimitedAddress(nil) != key("::"))
    }

    @Test("An attempt that is still waiting does not count as a failure")
    func attemptThatIsStillWaitingDoesNotCountAsAFailure() throws {
        let limits = LoginLimits(clock: time.clock)
        for number in 0..<3 {
            let user = try Username("user\(number)")
            #expect(limits.begin(user: user, address: address, wasCompared: false) == nil)
            #expect(limits.failures(of: address) == 0)
        }
        limits.confirm(address: address)
        #expect(limits.failures(of: address) == 1)
        limits.forgive(user: try Username("user1"), address: address)
        limits.confirm(address: address)
        #expect(limits.failures(of: address) == 2)
    }

    @Test("Guesses for many users from one address stop at the limit of the address")
    func guessesForManyUsersFromOneAddressStopAtTheLimitOfTheAddress() throws {
        let limits = LoginLimits(clock: time.clock)
        for number in 0..<100 {
            let user = try Username("user\(number)")
            #expect(limits.begin(user: user, address: address, wasCompared: false) == nil)
        }
        let user = try Username("one-more")
        #expect(limits.begin(user: user, address: address, wasCompared: false) == .seconds(6))
        #expect(limits.fail(address: address) == .seconds(6))
        // A refusal at the limit of an address does not extend the wait.
        time.advance(by: .seconds(6))
        #expect(limits.begin(user: user, address: address, wasCompared: false) == nil)
    }

    @Test("A successful attempt cancels only its own entry")
    func successfulAttemptCancelsOnlyItsOwnEntry() throws {
        let limits = LoginLimits(clock: time.clock)
        let user = try Username("alice")
        for _ in 0..<9 {
            #expect(limits.begin(user: user, address: address, wasCompared: false) == nil)
        }
        for _ in 0..<50 {
            #expect(limits.begin(user: user, address: address, wasCompared: false) == nil)
            limits.forgive(user: user, address: address)
        }
        #expect(limits.begin(user: user, address: address, wasCompared: false) == nil)
        #expect(limits.wait(user: user, address: address) == .seconds(60))
    }
}
