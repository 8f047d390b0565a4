/// SHA-256 of a device's handle: enough to know it again, not enough to send to it.
package struct HandleDigest: Hashable, Sendable {
    /// 32 bytes.
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
