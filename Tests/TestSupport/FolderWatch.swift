import Dispatch
import Glibc

/// Reports when files in a folder are created or written.
package final class FolderWatch {
    package struct Refused: Error {
        package let number: Int32
    }

    private let source: any DispatchSourceRead

    /// Watches the folder itself, but no folders below it.
    package init(
        _ folder: String, withModes: Bool = false, onChange: @escaping @Sendable (Int) -> Void
    ) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw Refused(number: errno) }
        var mask = UInt32(IN_CREATE) | UInt32(IN_MODIFY)
        if withModes { mask |= UInt32(IN_ATTRIB) }
        guard unsafe inotify_add_watch(descriptor, folder, mask) >= 0 else {
            let number = errno
            close(descriptor)
            throw Refused(number: number)
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "folder-watch"))
        source.setEventHandler { onChange(Self.changes(in: descriptor)) }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    package func end() {
        source.cancel()
    }

    private static func changes(in descriptor: Int32) -> Int {
        var count = 0
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let size = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress, bytes.count)
            }
            guard size > 0 else { return count }
            var offset = 0
            while offset + 16 <= size {
                // Four 32-bit numbers; the last is the length of the name after them.
                let length = (0..<4).reduce(0) { $0 | Int(buffer[offset + 12 + $1]) << (8 * $1) }
                offset += 16 + length
                count += 1
            }
        }
    }
}
