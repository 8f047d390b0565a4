import CampaignCore
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct NotificationTextsTests {
    private static func notification(_ texts: Texts<String>) -> NewNotification {
        NewNotification(
            id: .placeholder, language: LanguageTag("de"), type: nil, texts: texts, link: "l",
            data: ["k": "v"], platformTexts: [.wns: Texts(title: "t", message: "")],
            content: .none)
    }

    /// Text as a store saves it: the length plus one in four bytes, or 0 for missing text.
    private static func bytes(_ texts: [String?]) -> [UInt8] {
        texts.flatMap { text in
            [0, 0, 0, UInt8(text.map { $0.utf8.count + 1 } ?? 0)] + Array((text ?? "").utf8)
        }
    }

    @Test("The stored bytes of texts never change") func storedBytesOfTextsNeverChange() throws {
        let texts = NotificationTexts(
            Self.notification(Texts(title: "T", message: "M", placeholder: "P")))
        let stored =
            [1] + Self.bytes(["de", "T", "P", "l", "k", "v", nil, "wns", "t", "", nil, nil])
        #expect(texts.bytes == stored)
        #expect(try NotificationTexts(stored) == texts)
        #expect(
            texts.pushed(on: .wns, message: "M")
                == Texts(title: "t", message: "", placeholder: "P"))
        #expect(
            texts.pushed(on: .fcm, message: "M")
                == Texts(title: "T", message: "M", placeholder: "P"))
    }

    @Test("Texts in a later format are refused") func textsInALaterFormatAreRefused() {
        #expect(throws: DamagedValue.self) { try NotificationTexts([2] + Self.bytes([nil])) }
    }

    @Test("A message without other texts takes no bytes")
    func messageWithoutOtherTextsTakesNoBytes() {
        let message = NewNotification(
            id: .placeholder, type: nil, texts: Texts(message: "M"), content: .none)
        #expect(NotificationTexts(message).bytes == nil)
    }
}
