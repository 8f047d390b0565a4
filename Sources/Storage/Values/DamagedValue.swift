/// A stored value is none that hubsend ever writes; it reaches callers as ``StoreError/corrupt(_:)``.
package struct DamagedValue: Error {
    package init() {}
}
