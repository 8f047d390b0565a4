import Glibc

/// Facts about the container that this process may run in.
package enum Container {
    private static let marks = ["/.dockerenv", "/run/.containerenv"]

    /// Whether this process runs in Kubernetes, Docker or Podman, or on a root file system made of
    /// layers.
    package static var isHere: Bool {
        if unsafe getenv("KUBERNETES_SERVICE_HOST") != nil { return true }
        do throws(SystemError) {
            for mark in marks where try FileStatus.find(mark) != nil { return true }
            return try MountList().isLayered(device: device(of: "/"))
        } catch {
            return false
        }
    }

    /// Whether a folder is on the root file system and thus lost with the container.
    package static func holds(_ folder: String) throws(SystemError) -> Bool {
        guard isHere else { return false }
        return try device(of: folder) == device(of: "/")
    }

    private static func device(of path: String) throws(SystemError) -> String {
        try FileStatus(of: path).identity.deviceNumbers
    }
}
