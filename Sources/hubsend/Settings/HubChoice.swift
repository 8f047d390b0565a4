/// Which hub flags, environment and config file come to.
enum HubChoice {
    /// A hub inside this process, with the devices of a file; `folder` is that of the config.
    case local(devices: String, folder: String)
    /// A hub at an address.
    case remote(Secret, name: String?, route: HubRoute)
}
