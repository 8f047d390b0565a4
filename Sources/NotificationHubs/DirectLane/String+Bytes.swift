extension String {
    /// Text of bytes; what is no UTF-8 in them is replaced.
    init(bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
