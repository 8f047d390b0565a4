/// A payload file, opened safely and read whole.
package struct PayloadFile: Hashable, Sendable {
    /// As the campaign file names it.
    package let path: String
    /// Such as `image/png`.
    package let mediaType: String
    package let bytes: [UInt8]

    package init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
