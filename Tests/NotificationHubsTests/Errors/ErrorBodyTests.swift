import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct ErrorBodyTests {
    private func body(_ text: String) -> ErrorBody { ErrorBody(Array(text.utf8), hiding: .none) }

    @Test("A recorded error body is read") func recordedErrorBodyIsRead() {
        let read = body(
            "<Error><Code>401</Code><Detail>InvalidSignature: The token has an invalid signature.."
                + "TrackingId:1a2b_G19,TimeStamp:11/7/2018 12:18:23 AM</Detail></Error>")

        #expect(read.code == "401")
        #expect(
            read.detail
                == "InvalidSignature: The token has an invalid signature..TrackingId:1a2b_G19,TimeStamp:11/7/2018 12:18:23 AM"
        )
    }

    @Test(
        "An error body is read whatever its namespaces, order and escapes",
        arguments: [
            "<e:Error xmlns:e='urn:x'><e:Code>7</e:Code><e:Detail>a &lt; b &amp; c</e:Detail></e:Error>",
            "<?xml version='1.0' encoding='utf-8'?>\n<Error>\n<Detail>a &lt; b &amp; c</Detail><Code>7</Code></Error>",
            "<Error xmlns='urn:y'><More><Code>8</Code></More><Code>7</Code><Detail><![CDATA[a < b & c]]></Detail></Error>",
        ])
    func errorBodyIsReadWhateverItsNamespacesOrderAndEscapes(text: String) {
        #expect(body(text).code == "7")
        #expect(body(text).detail == "a < b & c")
    }

    @Test("A truncated error body keeps the parts before the cut")
    func truncatedErrorBodyKeepsThePartsBeforeTheCut() {
        #expect(body("<Error><Code>500</Code><Detail>half of it").code == "500")
    }

    @Test(
        "A body that is not an error has no code and no detail",
        arguments: [
            "", "<html><body>Not a hub</body></html>", "plain text", "{}", "<Error/>", "<<<<",
            "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><Error><Code>&a;</Code></Error>",
            "<!doctype x><Error><Code>1</Code></Error>",
            "<?xml version='1.0'?><!DOCTYPE Error SYSTEM 'file:///etc/passwd'><Error><Code>1</Code></Error>",
            "\u{0}<Error><Code>1</Code></Error>", String(repeating: "<a>", count: 5_000),
        ])
    func bodyThatIsNotAnErrorHasNoCodeAndNoDetail(text: String) {
        #expect(body(text).code == nil)
        #expect(body(text).detail == nil)
    }

    @Test("The detail is cut at 200 characters") func detailIsCutAt200Characters() {
        let long = String(repeating: "x", count: 5_000)

        #expect(body("<Error><Detail>\(long)</Detail></Error>").detail == String(long.prefix(200)))
    }

    @Test("Control and invisible characters are removed")
    func controlAndInvisibleCharactersAreRemoved() {
        #expect(
            ForeignText.cleaned(" a\r\n\t b\u{1B}[31m\u{202E}\u{200B}c\u{7F}\u{2028}d ")
                == "a b[31mc d")
        #expect(ForeignText.cleaned("\u{1B}\u{200B} \n") == nil)
    }

    @Test("A token that the hub repeats is hidden") func tokenThatTheHubRepeatsIsHidden() {
        let cleaned = ForeignText.cleaned(
            "refused SharedAccessSignature sr=https%3a%2f%2fh&sig=abc%2bdef%3D&se=1767225600&skn=Rule end"
        )

        #expect(
            cleaned
                == "refused SharedAccessSignature sr=(hidden)&sig=(hidden)&se=1767225600&skn=(hidden) end"
        )
    }
}
