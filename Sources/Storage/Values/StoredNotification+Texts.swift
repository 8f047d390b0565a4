package import CampaignCore
import Crypto
import FoundationEssentials

extension StoredNotification {
    package mutating func add(_ texts: NotificationTexts) {
        language = texts.language
        self.texts = texts.texts.filter { !$0.isPlaceholder }.over(self.texts)
        link = texts.link
        data = texts.data
    }

    /// Adds the decrypted parts; throws ``DamagedValue`` when the texts cannot be read.
    package mutating func add(_ parts: SealedParts) throws {
        type = parts.type
        texts.message = parts.message
        if let texts = parts.texts { add(try NotificationTexts(texts)) }
        if let content = parts.content {
            bytes = content
            digest = Hexadecimal.text(Array(SHA256.hash(data: content)))
        }
    }
}
