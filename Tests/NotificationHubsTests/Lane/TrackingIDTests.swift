import Foundation
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct TrackingIDTests {
    @Test("A tracking ID is a version 4 GUID in lower case")
    func trackingIDIsAVersion4GUIDInLowerCase() throws {
        var random = SeededRandom(seed: 1)
        var generator = TrackingIDGenerator(startingFrom: &random)
        for _ in 0..<1_000 {
            let text = generator.next().description
            #expect(
                text.wholeMatch(
                    of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                    != nil)
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
        }
    }

    @Test("Every hexadecimal digit is in the right position")
    func everyHexadecimalDigitIsInTheRightPosition() {
        #expect(
            TrackingID(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210).description
                == "01234567-89ab-4def-bedc-ba9876543210")
    }

    @Test("Tracking IDs do not repeat") func trackingIDsDoNotRepeat() {
        var random = SeededRandom(seed: 2)
        var generator = TrackingIDGenerator(startingFrom: &random)
        #expect(Set((0..<10_000).map { _ in generator.next() }).count == 10_000)
    }
}
