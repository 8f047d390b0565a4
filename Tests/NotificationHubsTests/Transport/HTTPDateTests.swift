import Foundation
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HTTPDateTests {
    @Test("A date in the format that RFC 9110 requires is read")
    func dateInTheFormatThatRFC9110RequiresIsRead() {
        // The example of RFC 9110, section 5.6.7.
        #expect(
            HTTPDate.read("Sun, 06 Nov 1994 08:49:37 GMT")
                == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "Any other date format is ignored",
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999999999 08:49:37 GMT",
        ])
    func anyOtherDateFormatIsIgnored(text: String) {
        #expect(HTTPDate.read(text) == nil)
    }
}
