import Glibc

/// The container that this process may be in.
package enum Container {
    private static let marks = ["/.dockerenv", "/run/.containerenv"]

    /// Whether this is a container of Kubernetes, Docker or Podman, or has a root made of layers.
    package static var isHere: Bool {
        if unsafe getenv("KUBERNETES_SERVICE_HOST") != nil { return true }
        do throws(SystemFault) {
            for mark in marks where try FileStatus.find(mark) != nil { return true }
            return try MountList().isLayered(device: device(of: "/"))
        } catch {
            return false
        }
    }

    /// Whether a folder is lost with the container: it is on the file system of the root.
    package static func holds(_ folder: String) throws(SystemFault) -> Bool {
        guard isHere else { return false }
        return try device(of: folder) == device(of: "/")
    }

    private static func device(of path: String) throws(SystemFault) -> String {
        try FileStatus(of: path).identity.deviceNumbers
    }
}
