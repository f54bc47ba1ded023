import Foundation
import PackagePlugin

/// The schemas of a target that another target depends on, whose preferences both can use.
struct DependencySchemas {
    let schemas: TargetSchemas
    /// Whether the target is in the package of the other one, which then sees its `package` accessors.
    let isInSamePackage: Bool

    /// Returns the schemas of all targets that a target depends on, directly or through others.
    static func all(of target: SwiftSourceModuleTarget, in package: Package) throws -> [DependencySchemas] {
        let dependencies = target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
        guard !dependencies.isEmpty else { return [] }
        let packages = packagesOfTargets(in: package)
        return try dependencies.compactMap { dependency in
            guard let owner = packages[dependency.id] else { return nil }
            let schemas = try TargetSchemas(
                name: dependency.name,
                files: dependency.sourceFiles.map(\.url),
                targetDirectory: dependency.directoryURL,
                packageDirectory: owner.directoryURL
            )
            return schemas.schemas.isEmpty
                ? nil : DependencySchemas(schemas: schemas, isInSamePackage: owner.id == package.id)
        }
    }

    /// Returns the package of each target in a package and in those that it depends on.
    private static func packagesOfTargets(in root: Package) -> [Target.ID: Package] {
        var packages: [Target.ID: Package] = [:]
        var visited: Set<Package.ID> = [root.id]
        var pending = [root]
        while let package = pending.popLast() {
            for target in package.targets { packages[target.id] = package }
            pending += package.dependencies.map(\.package).filter { visited.insert($0.id).inserted }
        }
        return packages
    }

    /// The arguments of the generator.
    var arguments: [String] {
        let option = isInSamePackage ? "--package-dependency" : "--dependency"
        let files = schemas.schemas.map(\.url) + [schemas.hosts.configuration].compactMap(\.self)
        return files.flatMap { [option, "\(schemas.name)=\($0.nativePath)"] }
    }

    /// The files that affect the result of the generator.
    var inputFiles: [URL] {
        schemas.schemas.map(\.url) + schemas.includes + [schemas.hosts.configuration].compactMap(\.self)
    }
}
