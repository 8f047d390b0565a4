/// The kernel's list of mounts (proc_pid_mountinfo(5)).
package struct MountList: Sendable {
    /// The maximum number of bytes to read; real lists are shorter.
    private static let longest = 16 << 20

    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Reads the list; it is empty if there is none, for example because /proc is not mounted.
    package init(at path: String = "/proc/self/mountinfo") throws(SystemError) {
        guard try FileStatus.find(path) != nil else {
            text = ""
            return
        }
        text = String(
            decoding: try OpenFile(path, for: .reading).beginning(Self.longest), as: UTF8.self)
    }

    /// The types, such as `ext4`, of the file systems with a device number `major:minor`.
    package func types(ofDevice device: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2] == device, let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.endIndex
            else { return nil }
            return String(fields[dash + 1])
        }
    }

    /// Whether a device, given as `major:minor`, is made of layers, like the root of a container.
    ///
    /// On some systems the root is a layer above a signed image (composefs), although it is not a
    /// container.
    package func isLayered(device: String) -> Bool {
        let layered: Set = ["overlay", "fuse.fuse-overlayfs", "aufs"]
        return types(ofDevice: device).contains(where: layered.contains)
            && !text.contains(" overlay composefs")
    }
}
