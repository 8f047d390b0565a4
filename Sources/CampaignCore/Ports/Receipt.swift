package import FoundationEssentials

/// That a recipient fetched or read a notification.
package struct Receipt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The payload arrived whole.
        case fetched
        /// The device says that the person saw it.
        case read
    }

    package var place: ReceiptPlace
    package var kind: Kind
    package var time: Date

    package init(place: ReceiptPlace, kind: Kind, time: Date) {
        self.place = place
        self.kind = kind
        self.time = time
    }
}
