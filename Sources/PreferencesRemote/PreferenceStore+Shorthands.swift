public import Foundation
public import PreferencesRuntime

// Forms with a leading dot, where a store is expected: `Preferences(store: .http(url: url))`.

extension PreferenceStore where Self == HTTPStore {
    /// A store of the document at a URL: ``HTTPStore/init(url:layout:cache:)``.
    public static func http(url: URL, layout: HTTPStore.Layout = .nested, cache: URL? = nil) -> HTTPStore {
        HTTPStore(url: url, layout: layout, cache: cache)
    }
}

extension PreferenceStore where Self == EtcdStore {
    /// A store of the keys with a prefix in etcd, with the defaults of ``EtcdStore``.
    public static func etcd(endpoints: [URL], prefix: String, cache: URL? = nil) -> EtcdStore {
        EtcdStore(endpoints: endpoints, prefix: prefix, cache: cache)
    }
}

extension PreferenceStore where Self == CookieStore {
    /// A store of the cookies of a site, among those of the program's requests:
    /// ``CookieStore/init(url:storage:lifetime:)``.
    public static func cookies(url: URL, lifetime: Duration? = nil) -> CookieStore {
        CookieStore(url: url, lifetime: lifetime)
    }
}
