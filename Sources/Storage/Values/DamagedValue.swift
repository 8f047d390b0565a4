/// A stored value is not one that hubsend writes; callers see the error as ``StoreError/corrupt(_:)``.
package struct DamagedValue: Error {
    package init() {}
}
